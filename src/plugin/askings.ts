/**
 * What is asked for the sake of what, outermost first: an asker that comes to itself again would never have an answer, and
 * fails with the way round instead of with a full stack.
 */
export class Askings {
  private readonly names: string[] = [];

  /** @throws Error when `run` is under way by the same name */
  within<T>(name: string, run: () => T): T {
    const { names } = this;
    const at = names.indexOf(name);
    if (at >= 0) {
      const way = names.slice(at + 1).map((other) => ` by way of ${other}`);
      throw new Error(`${name} asks for itself${way.join('')}`);
    }
    names.push(name);
    try {
      return run();
    } finally {
      names.pop();
    }
  }
}
