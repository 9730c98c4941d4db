import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Lets tasks of one name run one after another; tasks of other names are not delayed. Holds nothing of what they come to:
 * held here, two thirds of it outlived collections of young garbage.
 */
export class Turns {
  /** Of each name that a task is running for, who waits; undefined: nobody has yet, as for nearly all names. */
  private readonly lines = new Map<string, WaitingLine | undefined>();

  /**
   * @param what the tasks of one name are, for whoever is told that they are too many
   * @param waiting_max of one name
   */
  constructor(
    private readonly what: string,
    private readonly waiting_max: number = LIMITS.turns_waiting_max,
  ) {}

  /**
   * Runs `task` when all earlier tasks of this name have ended, however they ended.
   * @param given_up once it is aborted, a task that has not begun never does
   * @throws the reason of `given_up`; ServiceError `overloaded` when as many as may wait are waiting already
   */
  async take<T>(name: string, task: () => Promise<T>, given_up?: AbortSignal): Promise<T> {
    given_up?.throwIfAborted();
    if (this.lines.has(name)) await this.lineOf(name).wait(given_up);
    else this.lines.set(name, undefined);
    try {
      return await task();
    } finally {
      if (!this.lines.get(name)?.next()) this.lines.delete(name);
    }
  }

  /** @throws ServiceError `overloaded` when it is full */
  private lineOf(name: string): WaitingLine {
    const line = this.lines.get(name) ?? new WaitingLine();
    if (line.length >= this.waiting_max) throw this.tooMany();
    this.lines.set(name, line);
    return line;
  }

  private tooMany(): ServiceError {
    const detail = `${this.waiting_max} ${this.what} are waiting already; wait for their answers`;
    return new ServiceError('overloaded', detail, undefined, 1);
  }
}
