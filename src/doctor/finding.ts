/** One line of `feedloom doctor`. */
export interface Finding {
  /** `fail`: the service cannot run, or loses data or pages. `warn`: it runs, but not as well as it could. */
  level: 'ok' | 'warn' | 'fail';
  subject: string;
  message: string;
  remedy?: string;
}

export function ok(subject: string, message: string): Finding {
  return { level: 'ok', subject, message };
}

export function warn(subject: string, message: string, remedy: string): Finding {
  return { level: 'warn', subject, message, remedy };
}

export function fail(subject: string, message: string, remedy: string): Finding {
  return { level: 'fail', subject, message, remedy };
}

/** The clock of something else, compared with that of this machine. @param ahead seconds */
export function otherClock(what: string, ahead: number, skew_seconds_max: number): Finding {
  if (Math.abs(ahead) <= skew_seconds_max) return ok('clock', `${what} has the same time`);
  const message = `${what} is ${Math.abs(ahead).toFixed(0)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine`;
  return warn('clock', message, 'synchronise the clocks of both (chrony, systemd-timesyncd)');
}

export function megabytes(bytes: number): string {
  return bytes < 10_000_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
