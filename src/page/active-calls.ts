/**
 * The stack of nested requests for signals, outermost first.
 *
 * A signal that requests itself would recurse forever. It fails with the cycle in the message instead of a stack
 * overflow.
 */
export class ActiveCalls {
  private readonly names: string[] = [];

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
