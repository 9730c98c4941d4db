/** Lets tasks of one name run one after another; tasks of other names are not delayed. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `task` when all earlier tasks of this name have ended, however they ended. */
  async take<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(name);
    const turn = before === undefined ? task() : before.then(task, task);
    this.last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(name) === turn) this.last.delete(name);
    }
  }
}
