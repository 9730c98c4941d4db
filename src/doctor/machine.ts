import { hugePagesSetting } from '../platform/huge-pages.ts';
import { openFilesLimit } from '../platform/open-files.ts';
import { thisVersion } from '../version.ts';
import { type Finding, ok, warn } from './finding.ts';

/** Recommended limit of open files: one for each connection. */
const OPEN_FILES = 65_536;

/** The release, its commit, the plugin contract, and the runtime. */
export function versions(): Finding {
  const { version, commit, contract } = thisVersion();
  const runtime = `Bun ${Bun.version}, ${process.platform} ${process.arch}`;
  return ok('version', `feedloom ${version}, commit ${commit}, plugin contract ${contract}, ${runtime}`);
}

/** On systems other than Linux there is nothing to find. */
export function hugePages(): Finding[] {
  const setting = hugePagesSetting();
  if (setting === undefined) return [];
  if (setting !== 'never') return [ok('huge pages', `the kernel gives them (${setting})`)];
  const remedy = 'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, as root and at each boot';
  return [warn('huge pages', 'the kernel gives none, so pages take longer', remedy)];
}

/**
 * The limit of open files. On systems other than Linux it is not known.
 * @param service_pid of the running service, whose limit counts; undefined: the limit of this process
 */
export function openFiles(service_pid: number | undefined): Finding[] {
  const of_service = service_pid === undefined ? undefined : openFilesLimit(service_pid);
  const limit = of_service ?? openFilesLimit();
  if (limit === undefined) return [];
  const whose = of_service === undefined ? 'a service that is started here' : 'the running service';
  const message = `${whose} may open ${limit} files`;
  if (limit >= OPEN_FILES) return [ok('open files', message)];
  return [
    warn(
      'open files',
      `${message}, and each connection takes one`,
      `set LimitNOFILE=${OPEN_FILES}, or ulimit -n ${OPEN_FILES}`,
    ),
  ];
}
