import type { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { RateLimiter } from './rate-limit.ts';

/** The bucket of all connections together. It is no name of a connection. */
const ALL = '';

/** Limits how many unknown keys are checked, by connection and in all. Requests with known keys are not counted. */
export class WrongKeys {
  private readonly by_connection: RateLimiter;
  private readonly in_all: RateLimiter;
  /** Counted requests, and the refusals of those above the limits. */
  private readonly counted = new WeakMap<Request, ServiceError | undefined>();

  /** @param connectionOf names the connection of a request; undefined for requests of this process itself */
  constructor(
    monotonic: () => number,
    private readonly connectionOf: (request: Request) => string | undefined,
  ) {
    const clock = { now: () => monotonic() / 1000 };
    this.by_connection = new RateLimiter(clock, LIMITS.wrong_keys_per_second);
    this.in_all = new RateLimiter(clock, LIMITS.wrong_keys_per_second_in_all);
  }

  /** Counts a request with an unknown key, once. @returns the refusal of a request above the limits */
  count(request: Request): ServiceError | undefined {
    if (!this.counted.has(request)) this.counted.set(request, this.taken(this.connectionOf(request)));
    return this.counted.get(request);
  }

  private taken(connection: string | undefined): ServiceError | undefined {
    try {
      if (connection !== undefined) this.by_connection.take(connection, 'one connection with unknown keys');
      this.in_all.take(ALL, 'all callers with unknown keys together');
      return undefined;
    } catch (error) {
      return error as ServiceError;
    }
  }
}
