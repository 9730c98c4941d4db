import { StartupError } from '../errors.ts';
import type { FileReport, ImportLog } from '../interchange/report.ts';
import { listed } from '../mapping/columns.ts';
import { isKind } from '../mapping/kinds.ts';
import { grouped } from '../plugin/list-of.ts';
import { printable } from '../printable.ts';
import { CONTENTS } from './interchange-help.ts';

const EARLY_ADVICE = 'is the unit right (--time-unit, COLUMN@ms in a map), or does it mean no date?';

/**
 * Warns of times that are probably in another unit, and fails an import whose files turned out to be useless.
 * @param printCounts prints the number of lines; called before the error is thrown
 * @throws StartupError `too_many_rejected`, `all_lines_rejected` for a file with only bad lines, `nothing_accepted`
 */
export function requireAccepted(
  reports: readonly FileReport[],
  log: ImportLog,
  printCounts: () => void,
): void {
  for (const { name, first_early } of reports) {
    for (const [field, { line, time }] of first_early) {
      const year = new Date(1000 * time).getUTCFullYear();
      log.print(printable(`${name}:${line}: ${field}: a time is in ${year}; ${EARLY_ADVICE}`));
    }
  }
  log.checkLimit();
  const refusal = refusalOf(reports);
  if (log.stop === undefined && refusal === undefined) return;
  printCounts();
  log.throwIfStopped();
  throw refusal;
}

function refusalOf(reports: readonly FileReport[]): StartupError | undefined {
  const useless = reports.filter(({ accepted, rejected }) => accepted === 0 && rejected > 0);
  if (useless.length > 0) return allRejected(useless);
  if (reports.some(({ accepted }) => accepted > 0)) return undefined;
  const names = reports.map(({ name }) => name).join(', ');
  return new StartupError(
    'nothing_accepted',
    printable(`nothing was accepted: there is no record in ${names}`),
  );
}

function allRejected(useless: readonly FileReport[]): StartupError {
  // Renaming helps where a field is missing.
  const renamable = useless.find(({ kind, first_bad }) => first_bad?.fields && isKind(kind));
  const { name, kind } = renamable ?? useless[0];
  const remedy = `Fields of other names are renamed with --map ${name}=${kind}:FIELD=NAME,…; feedloom import --help lists all fields.`;
  return new StartupError(
    'all_lines_rejected',
    useless.map((report) => printable(describeUseless(report))).join('\n  '),
    renamable ? printable(remedy) : 'feedloom import --help lists all fields.',
  );
}

/** The fields of a file, and the fields it should have. */
function describeUseless({ name, kind, rejected, first_bad }: FileReport): string {
  const lines = rejected === 1 ? 'its only line was' : `all ${grouped(rejected)} lines were`;
  const first = first_bad === undefined ? '' : `; line ${first_bad.line}: ${first_bad.reason}`;
  const found = first_bad?.fields === undefined ? '' : `; found the fields ${listed(first_bad.fields)}`;
  const contents = CONTENTS[kind];
  const wanted = typeof contents === 'string' ? contents : contents.required.join(', ');
  return `${name}: ${lines} rejected${first}${found}; wanted: ${wanted}`;
}
