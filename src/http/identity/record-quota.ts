import { type Clock, dayOf, isoDate } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { SharedUse } from './shared-use.ts';

interface Sender {
  account: string;
  sharer: string | undefined;
}

/** Counts the records that each account has sent since midnight UTC or since the start of the process. */
export class RecordQuota {
  private readonly taken = new Map<string, number>();
  private readonly sharers = new SharedUse();
  private day = 0;

  /** @param per_day quota of each account; undefined: no limit */
  constructor(
    private readonly clock: Clock,
    private readonly per_day: number | undefined,
  ) {}

  /**
   * Ingests records if they fit the account's quota. Rejected records do not count.
   * @param sharer who sends them, if strangers share the quota. Each may use as much as it leaves free
   * @throws ServiceError `quota_exceeded`, and then no record is ingested; errors of `ingest`
   */
  async within<T extends { accepted: number }>(
    account: string,
    record_count: number,
    ingest: () => Promise<T>,
    sharer?: string,
  ): Promise<T> {
    if (this.per_day === undefined) return ingest();
    const day = this.take({ account, sharer }, record_count, this.per_day);
    let accepted = 0;
    try {
      const result = await ingest();
      accepted = result.accepted;
      return result;
    } finally {
      if (day === this.day) this.add({ account, sharer }, accepted - record_count);
    }
  }

  /** @returns the day to which the records were counted */
  private take(sender: Sender, count: number, per_day: number): number {
    const day = dayOf(this.clock.now());
    if (day !== this.day) {
      this.taken.clear();
      this.sharers.clear();
    }
    this.day = day;
    const { account, sharer } = sender;
    const left = per_day - (this.taken.get(account) ?? 0);
    const spare = sharer === undefined ? 0 : this.sharers.spareFor(sharer, count, 0);
    if (count + spare > left) {
      const next_day = isoDate(day + 1);
      const of =
        sharer === undefined
          ? `the ${left} that this account has left of its ${per_day} a day`
          : `this viewer's part of the ${left} that all viewers have left of their ${per_day} a day`;
      throw new ServiceError(
        'quota_exceeded',
        `${count} records are more than ${of}; the next day begins at ${next_day}T00:00:00Z`,
      );
    }
    this.add(sender, count);
    return day;
  }

  private add({ account, sharer }: Sender, count: number): void {
    this.taken.set(account, (this.taken.get(account) ?? 0) + count);
    if (sharer !== undefined) this.sharers.add(sharer, count, 0);
  }
}
