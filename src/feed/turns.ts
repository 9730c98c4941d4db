import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

interface Line {
  /** Each lets one begin, first come first. */
  waiting: (() => void)[];
}

/**
 * Lets tasks of one name run one after another; tasks of other names are not delayed. Holds nothing of what they come to:
 * held here, two thirds of it outlived collections of young garbage (decision 182).
 */
export class Turns {
  private readonly lines = new Map<string, Line>();

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
   * @throws ServiceError `overloaded` when as many as may wait are waiting already
   */
  async take<T>(name: string, task: () => Promise<T>): Promise<T> {
    let line = this.lines.get(name);
    if (line === undefined) {
      line = { waiting: [] };
      this.lines.set(name, line);
    } else {
      const { waiting } = line;
      if (waiting.length >= this.waiting_max) throw this.tooMany();
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await task();
    } finally {
      const next = line.waiting.shift();
      if (next === undefined) this.lines.delete(name);
      else next();
    }
  }

  private tooMany(): ServiceError {
    const detail = `${this.waiting_max} ${this.what} are waiting already; wait for their answers`;
    return new ServiceError('overloaded', detail, undefined, 1);
  }
}
