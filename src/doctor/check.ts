import type { CommunityName } from '../store/connection.ts';
import { type Finding, fail, ok } from './finding.ts';

/** The remedy for faults in stored rows. */
export const RESTORE =
  'restore the data from a backup; or run feedloom export, which leaves out what cannot be read, and import that into an empty folder';

/** Collects the faults that one examination finds: for each kind the first one and their number. */
export class Check {
  private readonly kinds = new Map<string, { first: string; count: number }>();

  constructor(
    private readonly subject: string,
    private readonly community: CommunityName,
    private readonly remedy = RESTORE,
  ) {}

  /** @param kind faults of the same kind are counted together */
  fault(kind: string, message: string): void {
    const known = this.kinds.get(kind);
    if (known === undefined) this.kinds.set(kind, { first: message, count: 1 });
    else known.count++;
  }

  /** One finding for each kind of fault. @param sound the message if there is none */
  findings(sound: string): Finding[] {
    const { subject, community } = this;
    if (this.kinds.size === 0) return [ok(subject, `${community}: ${sound}`)];
    return [...this.kinds.values()].map(({ first, count }) => {
      const more = count === 1 ? '' : ` (and ${(count - 1).toLocaleString('en-US')} more of this kind)`;
      return fail(subject, `${community}: ${first}${more}`, this.remedy);
    });
  }
}
