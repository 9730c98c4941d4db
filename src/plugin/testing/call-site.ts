/** Where this kit is: in the source one of several files, in the executable a file of its own. */
const KIT = import.meta.dir;

/**
 * The place where an author's test calls the kit. `bun:test` prints the source around the first frame of an error, which
 * would be a line of the kit: what fails is reported at the author's lines instead.
 */
export class CallSite {
  private readonly frames: string[];

  constructor() {
    this.frames = framesOfAuthor(new Error().stack);
  }

  /**
   * Runs a part of the kit. Its errors get the plugin's frames or, where the kit itself found something, the frames of this
   * place. A rejection, because `bun:test` reports what is thrown at the line that throws it.
   */
  async run(part: () => void | Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      return Promise.reject(this.placed(error));
    }
  }

  /** The error to be reported, and below it the plugin's own error where the kit reports of that. */
  private placed(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const { cause } = error;
    const below = cause instanceof Error ? { cause: copyAt(cause, framesOfAuthor(cause.stack)) } : undefined;
    const own = framesOfAuthor(error.stack);
    return copyAt(error, own.length > 0 ? own : this.frames, below);
  }
}

/** A new error, because `bun:test` goes by where an error was first thrown, whatever its stack says. */
function copyAt({ name, message }: Error, frames: readonly string[], options?: ErrorOptions): Error {
  const copy = new Error(message, options);
  copy.name = name;
  copy.stack = [`${name}: ${message}`, ...frames].join('\n');
  return copy;
}

/** A frame: what was called, if it has a name, and where. */
const FRAME = /^\s+at (?:(?:async )?(.*) \()?(\/.*:\d+:\d+)\)?$/;
/** `bun:test` reads no frame whose function is called otherwise. */
const NAME = /^[\w$.]+$/;

/** The frames of a stack that are neither of the kit nor of the runtime. */
function framesOfAuthor(stack = ''): string[] {
  return stack.split('\n').flatMap((line) => {
    const [, name = '', place] = FRAME.exec(line) ?? [];
    if (place === undefined || place.startsWith(KIT)) return [];
    return [`    at ${NAME.test(name) ? name : 'anonymous'} (${place})`];
  });
}
