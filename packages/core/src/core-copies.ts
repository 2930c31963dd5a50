import { copiesKey, shared } from "./brand.js";

/** Put in by the build. */
declare const __PACKAGE_VERSION__: string;

/** A copy of this package that is loaded in the process. */
export interface CoreCopy {
  version: string;
  /** The address of its module. */
  url: string;
}

function list(): CoreCopy[] {
  return shared<CoreCopy[]>(copiesKey, () => []);
}

list().push({ version: __PACKAGE_VERSION__, url: import.meta.url });

/** The copies of core loaded in this process; several are harmless while they share a plugin API. */
export function coreCopies(): readonly CoreCopy[] {
  return [...list()];
}
