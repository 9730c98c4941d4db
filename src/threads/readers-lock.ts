const WRITER = 0;
const FIRST_READER = 1;
/** Looks at a word before its change is waited for: a reader is mostly done soon, and to be woken takes 20 µs. */
const LOOKS = 2_000;

/**
 * A readers–writer lock between threads, in memory that all of them see. There is one writer, who goes first: once it
 * waits, no reader enters. Each reader has a word of its own, so they never wait for each other.
 */
export class ReadersLock {
  /** @param words as of `wordsFor`, the same memory on all sides */
  constructor(readonly words: Int32Array<SharedArrayBuffer>) {}

  static wordsFor(readers: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(new SharedArrayBuffer((FIRST_READER + readers) * Int32Array.BYTES_PER_ELEMENT));
  }

  /** Waits until nothing is being written, then keeps the writer out until `leave`. @param reader from 0 */
  enter(reader: number): void {
    const { words } = this;
    const own = FIRST_READER + reader;
    for (;;) {
      Atomics.store(words, own, 1);
      if (Atomics.load(words, WRITER) === 0) return;
      this.leave(reader);
      waitWhile(words, WRITER);
    }
  }

  leave(reader: number): void {
    const { words } = this;
    Atomics.store(words, FIRST_READER + reader, 0);
    if (Atomics.load(words, WRITER) !== 0) Atomics.notify(words, FIRST_READER + reader);
  }

  /** Runs something while nobody reads: waits for what each reader is at. */
  write<T>(run: () => T): T {
    const { words } = this;
    Atomics.store(words, WRITER, 1);
    for (let own = FIRST_READER; own < words.length; own++) waitWhile(words, own);
    try {
      return run();
    } finally {
      Atomics.store(words, WRITER, 0);
      Atomics.notify(words, WRITER);
    }
  }
}

/** Waits as long as a word is 1. */
function waitWhile(words: Int32Array<SharedArrayBuffer>, at: number): void {
  for (let looks = 0; looks < LOOKS; looks++) if (Atomics.load(words, at) === 0) return;
  while (Atomics.load(words, at) === 1) Atomics.wait(words, at, 1);
}
