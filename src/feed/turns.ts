import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

interface Line {
  last: Promise<unknown>;
  /** Tasks that have not ended. */
  length: number;
}

/** Lets tasks of one name run one after another; tasks of other names are not delayed. */
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
    const line = this.lines.get(name);
    if (line !== undefined && line.length > this.waiting_max) throw this.tooMany();
    const turn = line === undefined ? task() : line.last.then(task, task);
    const joined = line ?? { last: turn, length: 0 };
    joined.last = turn;
    joined.length++;
    this.lines.set(name, joined);
    try {
      return await turn;
    } finally {
      joined.length--;
      if (joined.length === 0) this.lines.delete(name);
    }
  }

  private tooMany(): ServiceError {
    const detail = `${this.waiting_max} ${this.what} are waiting already; wait for their answers`;
    return new ServiceError('overloaded', detail, undefined, 1);
  }
}
