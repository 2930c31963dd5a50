/** Thrown to leave the loop when a program has given the answer. */
export class FinalAnswer extends Error {
  readonly text: string;

  constructor(text: string) {
    super("A program gave the final answer.");
    this.text = text;
  }
}
