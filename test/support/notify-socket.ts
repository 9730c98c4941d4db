import { dlopen, ptr } from 'bun:ffi';
import { unlinkSync } from 'node:fs';

const [AF_UNIX, SOCK_DGRAM, MSG_DONTWAIT] = [1, 2, 0x40];

const { symbols: library } = dlopen('libc.so.6', {
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  bind: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
  recv: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
  close: { args: ['i32'], returns: 'i32' },
});

/** The socket of a service manager (sd_notify(3)), which Bun cannot open itself. */
export class NotifySocket implements Disposable {
  private readonly socket = library.socket(AF_UNIX, SOCK_DGRAM, 0);
  private readonly states: string[] = [];

  constructor(readonly path: string) {
    const name = Buffer.concat([Buffer.of(AF_UNIX, 0), Buffer.from(path)]);
    if (library.bind(this.socket, ptr(name), name.length) !== 0) throw new Error(`cannot bind ${path}`);
  }

  /** All that was sent so far. */
  received(): readonly string[] {
    const bytes = Buffer.alloc(1_024);
    for (;;) {
      const length = Number(library.recv(this.socket, ptr(bytes), bytes.length, MSG_DONTWAIT));
      if (length < 0) return this.states;
      this.states.push(bytes.toString('utf8', 0, length));
    }
  }

  [Symbol.dispose](): void {
    library.close(this.socket);
    unlinkSync(this.path);
  }
}
