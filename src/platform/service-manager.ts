import { ptr } from 'bun:ffi';
import { fromCLibrary } from './c-library.ts';

const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

/** What a service manager, such as systemd, passes to the service that it started (sd_notify(3)). */
export interface ServiceManager {
  /** Path of its socket. `@` stands for the NUL of an abstract one. */
  address: string;
  /** It ends the service if `WATCHDOG=1` is not sent for so long. Undefined if it does not watch. */
  watchdog_ms: number | undefined;
}

/** The service manager that started this process. Undefined if there is none, or if it started a parent process. */
export function serviceManagerOf(
  env: Record<string, string | undefined>,
  process_id: number,
): ServiceManager | undefined {
  const { NOTIFY_SOCKET: address = '', WATCHDOG_USEC, WATCHDOG_PID } = env;
  if (!/^[/@]./.test(address)) return undefined;
  const is_watched = Number(WATCHDOG_USEC) > 0 && [undefined, String(process_id)].includes(WATCHDOG_PID);
  return { address, watchdog_ms: is_watched ? Number(WATCHDOG_USEC) / 1000 : undefined };
}

/**
 * Makes a function that sends a state such as `READY=1`, and returns whether it did. It never fails or waits: without a
 * socket, or while the queue of the socket is full, nothing is sent.
 */
export function notifierOf({ address }: ServiceManager): (state: string) => boolean {
  const library = fromCLibrary({
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  });
  // struct sockaddr_un: the family as 16 bits (little-endian), and the path.
  const name = Buffer.concat([Buffer.of(AF_UNIX, 0), Buffer.from(address.replace(/^@/, '\0'))]);
  return (state) => {
    const socket = library?.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0) ?? -1;
    if (library === undefined || socket < 0) return false;
    const bytes = Buffer.from(state);
    const sent_bytes = library.sendto(
      socket,
      ptr(bytes),
      bytes.length,
      MSG_DONTWAIT | MSG_NOSIGNAL,
      ptr(name),
      name.length,
    );
    library.close(socket);
    return Number(sent_bytes) === bytes.length;
  };
}
