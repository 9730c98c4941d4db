import { userInfo } from 'node:os';

/** Who runs this command, as the audit log names them: `cli:` and the name of their account on this machine. */
export function cliActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // In a container the account may have a number and no name.
    return `cli:uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
