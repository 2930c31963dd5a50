export { type Cli, createCli } from "./create-cli.js";
export { exitCodes } from "./exit-codes.js";
export type { CliIo, InputStream, OutputStream } from "./io.js";
export type { CliDefaults, CliOptions } from "./options.js";
