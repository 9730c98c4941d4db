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
   * Runs `task` when all earlier tasks of this name have ended, however they ended.
   * @throws ServiceError `overloaded` when as many as may wait are waiting already
   */
  async take<T>(name: string, task: () => Promise<T>): Promise<T> {
    const line = this.lines.get(name);
    if (line !== undefined && line.length > LIMITS.turns_waiting_max) throw tooMany(line.length - 1);
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
}

function tooMany(waiting: number): ServiceError {
  const detail = `${waiting} requests of this viewer are waiting already; wait for their answers`;
  return new ServiceError('overloaded', detail, undefined, 1);
}
