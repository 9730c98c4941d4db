import type { Plugin } from '../plugin/index.ts';
import { KINDS, membersOf } from './kinds.ts';

/** A call of a plugin, as logs name it. */
export interface PluginCall {
  /** The id of the extension, or the name of the plugin. */
  plugin: string;
  /** The kind of the extension. */
  kind?: string;
  /** A member such as `compile`, `compile()` for the function that it returned, and so on; or `import` of the file. */
  call: string;
  source: string;
}

/** Cells of the memory: the number of the current call, the bytes of text that are used, … */
const CURRENT = 0;
const TEXT_BYTES = 1;
/** … and from here on, by number, how many asynchronous calls have not ended. */
const UNENDED = 2;
const CALLS_MAX = 8_192;
const CELLS_BYTES = 4 * (UNENDED + CALLS_MAX);
const MEMORY_BYTES = 2 ** 20;

type Call = (...args: never[]) => unknown;

/** A call with its number, and with that of the functions that it returns. */
interface Mark {
  number: number;
  call: PluginCall;
  returned?: Mark;
}

/**
 * Which call of a plugin a thread is in, in memory that another thread can read while this one does not come back.
 *
 * A call is a number, so that a mark costs two stores: the calls of items run thousands of times a page. What runs
 * after an `await` of a plugin has no mark. It is known only that the call has not ended.
 */
export class PluginCalls {
  readonly memory = new SharedArrayBuffer(MEMORY_BYTES);
  private readonly cells = new Int32Array(this.memory, 0, UNENDED + CALLS_MAX);
  /** The calls by number from 1, a line of JSON each. */
  private readonly text = new Uint8Array(this.memory, CELLS_BYTES);
  private readonly numbers = new Map<string, number>();

  /** Wraps a function, and the functions that it returns. */
  marked<F extends Call>(call: PluginCall, run: F): F {
    return this.wrapped(this.markOf(call), run);
  }

  /** Marks the thread as in a call until `work` has ended. Nothing else of plugins may run meanwhile. */
  async during<T>(call: PluginCall, work: () => Promise<T>): Promise<T> {
    this.cells[CURRENT] = this.markOf(call).number;
    try {
      return await work();
    } finally {
      this.cells[CURRENT] = 0;
    }
  }

  /** Wraps a function, but not what it returns, which is kept as it is. */
  markedAlone<F extends Call>(call: PluginCall, run: F): F {
    return this.wrapped(this.markOf(call), run, (mark, result) => this.unendedUntil(mark, result));
  }

  /** Wraps all functions of the extensions of a plugin. Extensions and the plugin may be instances of classes. */
  markedPlugin(plugin: Plugin, source: string): Plugin {
    const kinds = KINDS.filter((kind) => kind in plugin).map((kind) => {
      const extensions = Object.entries(plugin[kind] ?? {}).map(([id, extension]) => [
        id,
        this.markedMembers({ plugin: id, kind, source }, extension, membersOf(kind, extension)),
      ]);
      return [kind, Object.fromEntries(extensions)];
    });
    const { meta, setup, dispose } = plugin;
    return {
      meta,
      setup: setup?.bind(plugin),
      dispose: dispose?.bind(plugin),
      ...Object.fromEntries(kinds),
    };
  }

  private markedMembers(
    of: Omit<PluginCall, 'call'>,
    extension: object,
    members: readonly [string, unknown][],
  ): object {
    const marked = members.map(([call, member]) => [
      call,
      typeof member === 'function' ? this.marked({ ...of, call }, member.bind(extension)) : member,
    ]);
    return Object.fromEntries(marked);
  }

  /** The mark of a call. Its number is 0, which marks nothing, if there are too many. */
  private markOf(call: PluginCall): Mark {
    const line = `${JSON.stringify(call)}\n`;
    const known = this.numbers.get(line);
    if (known !== undefined) return { number: known, call };
    const bytes = new TextEncoder().encode(line);
    const used = this.cells[TEXT_BYTES];
    const number = this.numbers.size + 1;
    if (number === CALLS_MAX || used + bytes.length > this.text.length) return { number: 0, call };
    this.text.set(bytes, used);
    this.cells[TEXT_BYTES] = used + bytes.length;
    this.numbers.set(line, number);
    return { number, call };
  }

  /** No function of the contract has more than two parameters. A list of them would take twice as long. */
  private wrapped<F extends Call>(
    mark: Mark,
    run: F,
    follow = (of: Mark, result: unknown) => this.followed(of, result),
  ): F {
    const { cells } = this;
    const { number } = mark;
    const marked = (first: never, second: never): unknown => {
      const outer = cells[CURRENT];
      cells[CURRENT] = number;
      try {
        return follow(mark, run(first, second));
      } finally {
        cells[CURRENT] = outer;
      }
    };
    return marked as F;
  }

  /** The same for a function of items, which returns a value. Code of its own is faster. */
  private wrappedOfItems(number: number, run: Call): Call {
    const { cells } = this;
    return (item: never): unknown => {
      const outer = cells[CURRENT];
      cells[CURRENT] = number;
      try {
        return run(item);
      } finally {
        cells[CURRENT] = outer;
      }
    };
  }

  /** Marks what a result still runs. */
  private followed(mark: Mark, result: unknown): unknown {
    if (typeof result === 'function') {
      const { call } = mark;
      mark.returned ??= this.markOf({ ...call, call: `${call.call}()` });
      const is_of_items = call.call.endsWith('()');
      return is_of_items
        ? this.wrappedOfItems(mark.returned.number, result as Call)
        : this.wrapped(mark.returned, result as Call);
    }
    return isGenerator(result) ? this.wrappedList(mark, result) : this.unendedUntil(mark, result);
  }

  /** Counts a call as not ended until its promise is settled, whose rejection stays unhandled unless it is handled. */
  private unendedUntil({ number }: Mark, result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    const { cells } = this;
    const cell = UNENDED + number;
    cells[cell]++;
    return result.finally(() => void cells[cell]--);
  }

  /** Another list with the same values, since the plugin's own may be frozen or returned again. */
  private wrappedList(mark: Mark, list: Generator): IterableIterator<unknown> {
    const wrapped: IterableIterator<unknown> = {
      next: this.wrapped(mark, () => list.next()),
      return: list.return?.bind(list),
      [Symbol.iterator]: () => wrapped,
    };
    return wrapped;
  }
}

/** A lazy list that is read once. */
type Generator = IterableIterator<unknown>;

function isGenerator(value: unknown): value is Generator {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.iterator in value &&
    'next' in value &&
    typeof value.next === 'function'
  );
}

/** The calls of this thread. */
export const PLUGIN_CALLS = new PluginCalls();

/** Whether a thread is in a call of a plugin, by its memory. */
export function isInCall(memory: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(memory), CURRENT) !== 0;
}

/** The call that a thread is in, by its memory, and its asynchronous calls that have not ended. */
export function readCalls(memory: SharedArrayBuffer): { current?: PluginCall; unended: PluginCall[] } {
  const cells = new Int32Array(memory, 0, UNENDED + CALLS_MAX);
  const text = Buffer.from(new Uint8Array(memory, CELLS_BYTES, cells[TEXT_BYTES]));
  const lines = text.toString().split('\n').slice(0, -1);
  const calls = lines.map((line): PluginCall => JSON.parse(line));
  return {
    current: calls[cells[CURRENT] - 1],
    unended: calls.filter((_, at) => cells[UNENDED + at + 1] > 0),
  };
}
