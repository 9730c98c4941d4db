import { ServiceError } from '../../errors.ts';
import { hashKey, newCode } from '../../store/keys.ts';

const CODE_SECONDS = 600;
const CODES_MAX = 100;
const WRONG_CODES_MAX = 10;
const WRONG_CODES_MS = 60_000;

interface Waiting {
  api_key: string;
  /** By the monotonic clock. */
  expires_ms: number;
}

/**
 * One-time codes that sign a browser in.
 *
 * A code stands in a link in place of a key, because links stay in histories and terminals. It is exchanged for the key
 * once, within ten minutes. Codes are kept in memory only, by their hash.
 */
export class ConsoleCodes {
  private readonly waiting = new Map<string, Waiting>();
  /** When the latest wrong codes were sent, oldest first. */
  private wrong_ms: number[] = [];

  constructor(private readonly monotonic: () => number) {}

  create(api_key: string): string {
    const code = newCode();
    const [oldest] = this.waiting.keys();
    if (oldest !== undefined && this.waiting.size >= CODES_MAX) this.waiting.delete(oldest);
    this.waiting.set(hashKey(code), { api_key, expires_ms: this.monotonic() + CODE_SECONDS * 1000 });
    return code;
  }

  /**
   * Exchanges a code for its key. Wrong codes of others do not keep the right one from being exchanged.
   * @throws ServiceError `unauthorized` for a wrong, used or expired code; `rate_limited` after too many of these
   */
  exchange(code: string): string {
    const now_ms = this.monotonic();
    const hash = hashKey(code);
    const found = this.waiting.get(hash);
    this.waiting.delete(hash);
    if (found !== undefined && now_ms < found.expires_ms) return found.api_key;
    this.wrong_ms = this.wrong_ms.filter((at_ms) => now_ms - at_ms < WRONG_CODES_MS);
    if (this.wrong_ms.length >= WRONG_CODES_MAX) {
      const retry_after_seconds = Math.ceil((this.wrong_ms[0] + WRONG_CODES_MS - now_ms) / 1000);
      const detail = `the code is wrong, and ${WRONG_CODES_MAX} wrong codes were sent within a minute; try again in ${retry_after_seconds} s`;
      throw new ServiceError('rate_limited', detail, undefined, retry_after_seconds);
    }
    this.wrong_ms.push(now_ms);
    const minutes = CODE_SECONDS / 60;
    throw new ServiceError(
      'unauthorized',
      `the code is wrong, was used, or is older than ${minutes} minutes; restart feedloom demo for a new one, or send a key`,
    );
  }
}
