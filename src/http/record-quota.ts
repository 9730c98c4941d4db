import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';

const DAY_SECONDS = 86_400;

/** Counts the records that each account has sent since midnight UTC or since the start of the process. */
export class RecordQuota {
  private readonly taken = new Map<string, number>();
  private day = 0;

  /** @param per_day quota of each account; undefined: no limit */
  constructor(
    private readonly clock: Clock,
    private readonly per_day: number | undefined,
  ) {}

  /**
   * Ingests records if they fit the account's quota. Rejected records do not count.
   * @throws ServiceError `quota_exceeded`, and then no record is ingested; errors of `ingest`
   */
  async within<T extends { accepted: number }>(
    account: string,
    record_count: number,
    ingest: () => Promise<T>,
  ): Promise<T> {
    if (this.per_day === undefined) return ingest();
    const day = this.take(account, record_count, this.per_day);
    let accepted = 0;
    try {
      const result = await ingest();
      accepted = result.accepted;
      return result;
    } finally {
      if (day === this.day) this.add(account, accepted - record_count);
    }
  }

  /** @returns the day to which the records were counted */
  private take(account: string, count: number, per_day: number): number {
    const day = Math.floor(this.clock.now() / DAY_SECONDS);
    if (day !== this.day) this.taken.clear();
    this.day = day;
    const left = per_day - (this.taken.get(account) ?? 0);
    if (count > left) {
      const next_day = new Date((day + 1) * DAY_SECONDS * 1000).toISOString().slice(0, 10);
      throw new ServiceError(
        'quota_exceeded',
        `${count} records are more than the ${left} that this account has left of its ${per_day} a day; the next day begins at ${next_day}T00:00:00Z`,
      );
    }
    this.add(account, count);
    return day;
  }

  private add(account: string, count: number): void {
    this.taken.set(account, (this.taken.get(account) ?? 0) + count);
  }
}
