import { ptr } from 'bun:ffi';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { fromCLibrary } from '../../platform/c-library.ts';
import { openFilesLimit } from '../../platform/open-files.ts';

/** A TCP connection that a client opened. */
export interface Connection {
  descriptor: number;
  /** Port of the client. */
  peer_port: number;
  /** Time since a byte was last sent or received. */
  idle_ms: number;
}

/** The file descriptors of this process. Each connection takes one. */
export interface Descriptors {
  readonly limit: number;
  /** Whether fewer than `count` are free. Costs some microseconds per descriptor. */
  isShortOf(count: number): boolean;
  /** Connections to a local port that have no unread data. Costs 1 to 2 microseconds per descriptor. */
  connectionsTo(port: number): Connection[];
  /** Closes a connection immediately, as if the client had closed it. */
  hangUp(connection: Connection): void;
}

/** The descriptors of this process. Undefined on systems other than Linux, and if their number is not limited. */
export function processDescriptors(): Descriptors | undefined {
  const library = fromCLibrary(FUNCTIONS);
  const limit = openFilesLimit();
  if (library === undefined || limit === undefined || limit === Number.POSITIVE_INFINITY) return undefined;
  return new LinuxDescriptors(library, limit);
}

const FUNCTIONS = {
  getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  recv: { args: ['i32', 'ptr', 'usize', 'i32'], returns: 'i32' },
  shutdown: { args: ['i32', 'i32'], returns: 'i32' },
} as const;
type Library = NonNullable<ReturnType<typeof fromCLibrary<typeof FUNCTIONS>>>;

const DESCRIPTORS = '/proc/self/fd';

/** The port is at the same place in `struct sockaddr_in` and `sockaddr_in6`, big-endian. */
const SOCKADDR_BYTES = 128;
const PORT_AT = 2;
/** For `getsockopt`: the TCP protocol, and the option that reads a `struct tcp_info`. */
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const TCP_INFO_BYTES = 256;
const LAST_DATA_SENT_MS_AT = 44;
const LAST_DATA_RECEIVED_MS_AT = 52;
/** For `recv`: look at the data without consuming it, and do not wait. */
const MSG_PEEK_DONTWAIT = 0x02 | 0x40;
/** For `shutdown`: close both directions. */
const SHUT_RDWR = 2;

class LinuxDescriptors implements Descriptors {
  private readonly address = new Uint8Array(SOCKADDR_BYTES);
  private readonly info = new Uint8Array(TCP_INFO_BYTES);
  private readonly length = new Uint32Array(1);

  constructor(
    private readonly library: Library,
    readonly limit: number,
  ) {}

  isShortOf(count: number): boolean {
    const opened: number[] = [];
    try {
      while (opened.length < count) opened.push(openSync('/dev/null', 'r'));
      return false;
    } catch {
      return true;
    } finally {
      for (const descriptor of opened) closeSync(descriptor);
    }
  }

  connectionsTo(port: number): Connection[] {
    let names: string[];
    try {
      names = readdirSync(DESCRIPTORS);
    } catch {
      // Reading the folder takes a descriptor too, so it fails when none is free.
      names = Array.from({ length: this.limit }, (_, descriptor) => String(descriptor));
    }
    return names.flatMap((name) => this.connection(Number(name), port) ?? []);
  }

  hangUp({ descriptor }: Connection): void {
    this.library.shutdown(descriptor, SHUT_RDWR);
  }

  private connection(descriptor: number, port: number): Connection | undefined {
    const { library, info } = this;
    if (this.portBy(library.getsockname, descriptor) !== port) return undefined;
    const peer_port = this.portBy(library.getpeername, descriptor);
    // A listening socket has no peer.
    if (peer_port === undefined || library.recv(descriptor, ptr(info), 1, MSG_PEEK_DONTWAIT) > 0)
      return undefined;
    this.length[0] = TCP_INFO_BYTES;
    const status = library.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, ptr(info), ptr(this.length));
    if (status !== 0) return undefined;
    const view = new DataView(info.buffer);
    const sent_ms = view.getUint32(LAST_DATA_SENT_MS_AT, true);
    const received_ms = view.getUint32(LAST_DATA_RECEIVED_MS_AT, true);
    return { descriptor, peer_port, idle_ms: Math.min(sent_ms, received_ms) };
  }

  /** The port that `getsockname` or `getpeername` reports. Undefined for descriptors without one. */
  private portBy(addressOf: Library['getsockname'], descriptor: number): number | undefined {
    const { address, length } = this;
    length[0] = SOCKADDR_BYTES;
    if (addressOf(descriptor, ptr(address), ptr(length)) !== 0) return undefined;
    return new DataView(address.buffer).getUint16(PORT_AT);
  }
}
