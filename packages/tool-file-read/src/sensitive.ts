/** Names of files that hold secrets; `*` stands for any characters. */
const names = [
  ".env",
  ".env.*",
  "*.env",
  ".envrc",
  ".secret",
  ".secrets",
  "*.secret",
  "*.secrets",
  "credentials",
  "credentials.*",
  ".credentials*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.ppk",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  "authorized_keys",
  ".htpasswd",
  ".pgpass",
  ".my.cnf",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".yarnrc",
  ".pypirc",
  ".git-credentials",
  ".vault-token",
  "*service-account*.json",
  "*service_account*.json",
  "shadow",
  "shadow-",
  "gshadow",
  "gshadow-",
  "sudoers",
  ".bash_history",
  ".zsh_history",
];

/** Folders all of whose files are taken for secret. */
const folders = new Set([".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", "gcloud"]);

const patterns = names.map(
  (name) => new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i"),
);

/** Whether a path is that of a file that commonly holds secrets. Letter case does not matter. */
export function isSensitive(path: string): boolean {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  const name = parts.at(-1) ?? "";
  if (parts.slice(0, -1).some((part) => folders.has(part.toLowerCase()))) return true;
  // The kernel shows a process's variables and memory as files.
  if (parts[0] === "proc" && /^(?:environ|mem|cmdline|auxv|maps)$/.test(name)) return true;
  return patterns.some((pattern) => pattern.test(name));
}
