import { LIMITS } from '../../limits.ts';
import { RateLimiter } from './rate-limit.ts';

/** The bucket of all connections together. It is no name of a connection. */
const ALL = '';

/** Limits how many unknown keys are answered 401, by connection and in all. Requests with known keys are not counted. */
export class WrongKeys {
  private readonly by_connection: RateLimiter;
  private readonly in_all: RateLimiter;

  /** @param connectionOf names the connection of a request; undefined for requests of this process itself */
  constructor(
    monotonic: () => number,
    private readonly connectionOf: (request: Request) => string | undefined,
  ) {
    const clock = { now: () => monotonic() / 1000 };
    this.by_connection = new RateLimiter(clock, LIMITS.wrong_keys_per_second);
    this.in_all = new RateLimiter(clock, LIMITS.wrong_keys_per_second_in_all);
  }

  /** Counts a request with an unknown key. @throws ServiceError `rate_limited` */
  take(request: Request): void {
    const connection = this.connectionOf(request);
    if (connection !== undefined) this.by_connection.take(connection, 'one connection with unknown keys');
    this.in_all.take(ALL, 'all callers with unknown keys together');
  }
}
