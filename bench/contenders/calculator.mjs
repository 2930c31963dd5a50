// One sample of calculator.mjs: node calculator.mjs openjarvis|mathjs|hostile, prints JSON.
const [contender] = process.argv.slice(2);
const expressions = [
  "2 + 3 * 4 - 5 / 6",
  "0.15 * 340",
  "sqrt(144) + 3 ^ 2 + max(1, 2, 3)",
  "sin(pi / 6) + log10(1000)",
];

async function calculator() {
  const { CalculatorTool } = await import("../../packages/tool-calculator/dist/index.js");
  const tool = new CalculatorTool();
  return (expression) => tool.execute({ expression });
}

async function measure(make) {
  const started = performance.now();
  const evaluate = await make();
  await evaluate("1 + 1");
  const readyMs = performance.now() - started;
  for (let index = 0; index < 5_000; index += 1) await evaluate(expressions[index % expressions.length]);
  const begun = performance.now();
  const count = 20_000;
  for (let index = 0; index < count; index += 1) await evaluate(expressions[index % expressions.length]);
  return { readyMs, micros: ((performance.now() - begun) * 1000) / count };
}

const hostile = {
  "power tower": "9**9**9**9",
  "power tower, caret": "9^9^9^9",
  "large factorial": "factorial(1e7)",
  "large matrix": "ones(1e9)",
  range: "1:1e8",
  "sum of a range": "sum(1:1e7)",
  format: 'format(1/3, {notation: "fixed", precision: 1000000000})',
  "recursive function": "f(n) = n < 2 ? n : f(n-1) + f(n-2); f(40)",
  "constructor escape": 'cos.constructor("return process")()',
  import: "import({pi: 3}, {override: true})",
  "many terms": Array(100_000).fill("1").join("+"),
  "many parentheses": "(".repeat(100_000) + "1" + ")".repeat(100_000),
  "many minus signs": "-".repeat(100_000) + "1",
  "many digits": "9".repeat(1_000_000),
  "long power chain": Array(400).fill("2").join("**"),
  "many arguments": `max(${Array(200_000).fill("1").join(",")})`,
  "huge shift of kinds": "10**4000 * 1.5",
  "huge round": "round(1e308, 400)",
};

if (contender === "hostile") {
  const evaluate = await calculator();
  await evaluate("1 + 1");
  const rssBefore = process.memoryUsage().rss;
  const rows = {};
  for (const [name, expression] of Object.entries(hostile)) {
    const started = performance.now();
    const result = await evaluate(expression);
    rows[name] = { ms: Number((performance.now() - started).toFixed(2)), success: result.success };
  }
  const slowestMs = Math.max(...Object.values(rows).map((row) => row.ms));
  const addedMiB = Math.round((process.memoryUsage().rss - rssBefore) / 2 ** 20);
  console.log(JSON.stringify({ slowestMs, addedMiB, rows }));
} else {
  const makers = {
    openjarvis: calculator,
    async mathjs() {
      const { create, all } = await import("mathjs");
      const math = create(all);
      return async (expression) => math.evaluate(expression);
    },
  };
  console.log(JSON.stringify(await measure(makers[contender])));
}
