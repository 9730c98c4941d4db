import { defineFilter, InvalidOptions, Type } from 'feedloom/plugin';

const RELATIVE = /^(days|hours)_ago:(\d{1,6})$/;
const SECONDS_OF = { days: 86_400, hours: 3_600 };
/** Numbers above this are milliseconds. */
const EPOCH_SECONDS_MAX = 1e11;
const FORMS = 'days_ago:<n>, hours_ago:<n>, seconds since the epoch, or an ISO 8601 time';

/**
 * Only items created at or after a moment. Relative forms move with the clock at every request.
 * Spec 1.1 (time period), 2.3.
 */
export default defineFilter({
  summary: 'Only content created since a moment, for example days_ago:7.',
  kind: 'inclusion',
  options: Type.Union([Type.String(), Type.Number()], { description: FORMS, examples: ['days_ago:7'] }),
  compile(options) {
    const since = parseMoment(options);
    return (request) => {
      const start = since(request.now);
      return (item) => request.created_at(item) >= start;
    };
  },
});

/** The moment as a function of the request's time, seconds. */
function parseMoment(value: string | number): (now: number) => number {
  if (typeof value === 'string') {
    const relative = RELATIVE.exec(value);
    if (relative !== null) {
      const ago = Number(relative[2]) * SECONDS_OF[relative[1] === 'days' ? 'days' : 'hours'];
      return (now) => now - ago;
    }
  }
  const seconds = typeof value === 'number' ? value : parseAbsolute(value);
  if (!Number.isFinite(seconds) || seconds < 0) throw new InvalidOptions(`must be ${FORMS}`);
  if (seconds > EPOCH_SECONDS_MAX) throw new InvalidOptions('expected seconds, this looks like milliseconds');
  return () => seconds;
}

/** Epoch seconds as text, or ISO 8601; a time without a zone is UTC. NaN for anything else. */
function parseAbsolute(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (iso === null) return Number.NaN;
  const zoned = iso[1] === undefined || iso[4] !== undefined ? text : `${text}Z`;
  return Date.parse(zoned) / 1000;
}
