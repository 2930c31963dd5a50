const numeric = /^[-+]?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf|nan|Infinity|NaN)$/;
/** A number at the end of a line that announces it: "The result is 4." */
const announced = /(?:[=:]|\bis)\s{0,3}([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\.?$/;

/** The number a calculator's reply gives, `.0` dropped; `undefined` when it gives none. */
export function numberIn(reply: string): string | undefined {
  // A note to the model may follow on further lines.
  const [line = ""] = reply.trim().slice(0, 10_000).split("\n", 1);
  const text = line.trim();
  const found = numeric.test(text) ? text : announced.exec(text.slice(-100))?.[1];
  if (found === undefined) return undefined;
  const plain = found.replace(/^(-?\d+)\.0+$/, "$1").replace(/^\+/, "");
  return plain === "-0" ? "0" : plain;
}

/** The number an earlier answer ended with, when it gave exactly one: `15% of 340 = 51` gives `51`. */
export function answeredNumber(answer: string): string | undefined {
  const text = answer.trim();
  if (text.length > 500 || text.includes("\n")) return undefined;
  const match = /(?:^|[=:]\s{0,3}|\bis\s{1,3})(-?\d[\d,]*(?:\.\d+)?)\.?$/.exec(text);
  return match?.[1]?.replaceAll(",", "");
}
