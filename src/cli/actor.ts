import { userInfo } from 'node:os';

/** Name of the user who runs this command, for the audit log: `cli:` and their account on this machine. */
export function cliActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // In a container the account may have a number but no name.
    return `cli:uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
