/** The folder of this kit in the source, or its file in the executable. */
const KIT = import.meta.dir;

/**
 * The place where an author's test calls the kit.
 *
 * `bun:test` prints the source around the first frame of an error, which would be a line of the kit. Errors get the
 * author's frames instead.
 */
export class CallSite {
  private readonly frames: string[];

  constructor() {
    this.frames = framesOfAuthor(new Error().stack);
  }

  /**
   * Runs a part of the kit. Its errors get the plugin's frames, or the frames of this place if the kit found the fault.
   *
   * It rejects rather than throws, because `bun:test` reports a throw at the line of the throw.
   */
  async run(part: () => void | Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      return Promise.reject(this.placed(error));
    }
  }

  /** The error to report. Its cause is the plugin's own error, if the kit reports that. */
  private placed(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const { cause } = error;
    const below = cause instanceof Error ? { cause: copyAt(cause, framesOfAuthor(cause.stack)) } : undefined;
    const own = framesOfAuthor(error.stack);
    return copyAt(error, own.length > 0 ? own : this.frames, below);
  }
}

/** Makes a new error, because `bun:test` uses the place where an error was first thrown, and ignores a changed stack. */
function copyAt({ name, message }: Error, frames: readonly string[], options?: ErrorOptions): Error {
  const copy = new Error(message, options);
  copy.name = name;
  copy.stack = [`${name}: ${message}`, ...frames].join('\n');
  return copy;
}

/** A stack frame: the called function, if it has a name, and the place. */
const FRAME = /^\s+at (?:(?:async )?(.*) \()?(\/.*:\d+:\d+)\)?$/;
/** `bun:test` ignores frames with other function names. */
const NAME = /^[\w$.]+$/;

/** The frames of a stack outside the kit and the runtime. */
function framesOfAuthor(stack = ''): string[] {
  return stack.split('\n').flatMap((line) => {
    const [, name = '', place] = FRAME.exec(line) ?? [];
    if (place === undefined || place.startsWith(KIT)) return [];
    return [`    at ${NAME.test(name) ? name : 'anonymous'} (${place})`];
  });
}
