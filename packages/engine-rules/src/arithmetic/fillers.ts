/** Words that may stand before a question without changing it. */
export const leadingWords = wordSet(
  "please pls kindly hey hi hello jarvis ok okay alright so now well then also next and but " +
    "can could would will shall you i i'd i'll want wanna need like to know help us me my with let's lets " +
    "tell give show say math maths mathematical arithmetic homework problem problems question questions exercise quick " +
    "quickly simple following these what whats what's is are be does do how how's much many calculate compute evaluate " +
    "solve work out find determine simplify figure get steps step by value result answer of for using use calculator " +
    "calculators tool tools your a an the expression calculation equation both each number here here's q " +
    "this that it exactly just only return output print reply respond",
);

/** Words that may stand after a question without changing it. */
export const trailingWords = wordSet(
  "please pls thanks thank you equal equals is to be in total altogether exactly for me now make makes give gives come " +
    "comes out as a the number decimal using use with your calculator tool step steps by show work working just answer " +
    "result value",
);

/** Words a sentence beside the question may consist of: how to answer, not what. */
export const instructionWords = wordSet(
  "explain reasoning briefly short shortly concisely concise final single integer digits digit words word nothing else " +
    "text other think carefully before after first don't do not no without any explanation in one must should once " +
    "thanks thank kind regards there all at most good morning afternoon evening",
);

/** Words that turn what stands beside them around; arithmetic in the same sentence may not be meant. */
export const negations = wordSet("don't not no without nothing");

/** A sentence that begins with one of these asks whether something is so, not what it is. */
export const yesNoWords = wordSet("is are was were am does did has have");

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
