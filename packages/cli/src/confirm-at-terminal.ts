import type { ConfirmCallback } from "@openjarvis/core";
import type { CommandContext } from "./command-context.js";

/** Who allows tool calls: nobody is asked with --yes, else the person at the terminal, else there is nobody at all. */
export function confirmAtTerminal(
  context: CommandContext,
  yes: boolean | undefined,
): ConfirmCallback | undefined {
  if (yes === true) return () => true;
  if (!context.terminal.isInteractive) return undefined;
  // Most runs ask nothing, so what asks is loaded by the first question.
  let callback: Promise<ConfirmCallback> | undefined;
  return async (request) => {
    callback ??= loadConfirm(context);
    return (await callback)(request);
  };
}

async function loadConfirm(context: CommandContext): Promise<ConfirmCallback> {
  const [{ confirmWith }, { promptLine }] = await Promise.all([
    import("./confirm.js"),
    import("./line-prompt.js"),
  ]);
  return confirmWith((question, signal) => promptLine(context, question, signal), context.terminal);
}
