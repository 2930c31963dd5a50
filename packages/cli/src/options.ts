/** What a distribution prefers where neither the command line nor config.toml says anything. */
export interface CliDefaults {
  agent?: string;
  engine?: string;
  model?: string;
  tools?: readonly string[];
}

/** What {@link createCli} makes a program of. */
export interface CliOptions {
  /** The `import.meta.url` of the distribution's own module: the plugins among its dependencies belong to it. */
  root: string;
  /** The name of the program, as help and messages show it. @default "jarvis" */
  name?: string;
  /** What `--version` prints. @default the version in the distribution's package.json */
  version?: string;
  defaults?: CliDefaults;
}

/** A distribution, complete. */
export interface Distribution {
  readonly name: string;
  readonly version: string;
  /** The folder of its package. */
  readonly dir: string;
  readonly root: string;
  readonly defaults: CliDefaults;
}
