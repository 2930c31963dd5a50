/** What the process ends with. */
export const exitCodes = {
  /** The question was answered, the command did its work. */
  ok: 0,
  /** An error, a refusal, no answer, or an answer that is not the final one. */
  failed: 1,
  /** The command line is not understood: an unknown flag or command, a missing question, a bad value. */
  usage: 2,
  /** Closed terminal (128 + SIGHUP). */
  hangup: 129,
  /** Ctrl-C (128 + SIGINT). */
  interrupted: 130,
  /** Ended from outside (128 + SIGTERM). */
  terminated: 143,
} as const;
