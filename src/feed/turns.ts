import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Lets tasks of one name run one after another; tasks of other names are not delayed. Holds nothing of what they come to:
 * held here, two thirds of it outlived collections of young garbage (decision 182).
 */
export class Turns {
  private readonly lines = new Map<string, WaitingLine>();

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
    let line = this.lines.get(name);
    if (line === undefined) {
      line = new WaitingLine();
      this.lines.set(name, line);
    } else {
      if (line.length >= this.waiting_max) throw this.tooMany();
      await line.wait(given_up);
    }
    try {
      return await task();
    } finally {
      if (!line.next()) this.lines.delete(name);
    }
  }

  private tooMany(): ServiceError {
    const detail = `${this.waiting_max} ${this.what} are waiting already; wait for their answers`;
    return new ServiceError('overloaded', detail, undefined, 1);
  }
}
