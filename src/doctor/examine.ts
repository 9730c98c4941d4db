import { reasonOf, StartupError } from '../errors.ts';
import { hugePagesSetting } from '../platform/huge-pages.ts';
import { openFilesLimit } from '../platform/open-files.ts';
import { fetchBounded } from '../plugin/index.ts';
import type { RefusedPlugin } from '../registry/refused-plugin.ts';
import { openRegistry } from '../service.ts';
import type { Settings } from '../settings.ts';
import type { Holder } from '../store/connection.ts';
import { thisVersion } from '../version.ts';
import { examineData, fileFindings } from './data.ts';
import { diskSpace, fileSystemClock, permissions } from './data-folder.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { memoryFindings } from './memory.ts';
import { examineStored } from './stored-data.ts';

const SERVICE = 'service';
const BOUNDS = { timeout_ms: 5_000, bytes_max: 64 * 1024 };
/** Whether a service holds the data, and whether it answers. */
async function examineService(holder: Holder | undefined): Promise<Finding[]> {
  if (holder === undefined) return [ok(SERVICE, 'none runs on this data')];
  const { command, pid, since, address } = holder;
  const runs = ok(SERVICE, `'${command}' (pid ${pid}) has the data since ${since}`);
  return address === undefined ? [runs] : [runs, await readiness(called(address))];
}

/** The address by which a process of the same machine reaches one that listens on all its addresses. */
function called(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

async function readiness(address: string): Promise<Finding> {
  try {
    const answer = await fetchBounded(`${address}/readyz`, BOUNDS);
    if (answer.ok) return ok(SERVICE, `${address} serves feeds`);
    const { detail = '' } = (await answer.json().catch(() => ({}))) as { detail?: string };
    return warn(SERVICE, `${address} answers ${answer.status} (${detail})`, 'its log has the cause');
  } catch (error) {
    const remedy = 'it may be stopping, or listen on another machine; its log has the cause';
    return warn(SERVICE, `nothing answers at ${address} (${reasonOf(error)})`, remedy);
  }
}

const PLUGINS = 'plugins';

/**
 * Loads third-party plugins as a start does, which runs their code.
 * @param known the refused plugins, if they were already loaded
 */
async function examinePlugins(settings: Settings, known?: readonly RefusedPlugin[]): Promise<Finding[]> {
  const { plugins, plugins_strict } = settings;
  if (plugins === undefined) return [ok(PLUGINS, 'only built-in ones')];
  const at = plugins_strict ? fail : warn;
  const refused = ({ message, remedy }: StartupError) =>
    at(PLUGINS, message, remedy ?? 'fix the plugin, or leave it out');
  try {
    const refused_plugins =
      known ?? (await openRegistry({ ...settings, plugins_strict: false })).refused_plugins;
    return refused_plugins.length > 0
      ? refused_plugins.map(refused)
      : [ok(PLUGINS, `${plugins} can be loaded`)];
  } catch (error) {
    if (error instanceof StartupError) return [refused(error)];
    return [at(PLUGINS, reasonOf(error), 'fix the plugin, or leave it out')];
  }
}

/** Recommended limit of open files: one for each connection. */
const OPEN_FILES = 65_536;

/** The release, its commit, the plugin contract, and the runtime. */
function versions(): Finding {
  const { version, commit, contract } = thisVersion();
  const runtime = `Bun ${Bun.version}, ${process.platform} ${process.arch}`;
  return ok('version', `feedloom ${version}, commit ${commit}, plugin contract ${contract}, ${runtime}`);
}

/** On systems other than Linux there is nothing to find. */
function hugePages(): Finding[] {
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
function openFiles(service_pid: number | undefined): Finding[] {
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

/**
 * Examines everything that a service with these settings needs. It changes nothing and runs beside a service.
 * @param deep also reads all stored data and compares it with itself
 * @throws StartupError with `deep`, as `examineStored`
 */
export async function examine(settings: Settings, deep: boolean): Promise<Finding[]> {
  const { data, database_url } = settings;
  const stored = deep ? await examineStored(settings) : undefined;
  const place = { data, database_url };
  const { findings, inspection, checkpoint_bytes } = await examineData(place, stored?.inspection);
  const holder = inspection?.holder;
  return [
    versions(),
    ...permissions(data, database_url === undefined),
    diskSpace(data, checkpoint_bytes),
    ...fileSystemClock(data),
    ...findings,
    ...(stored?.findings ?? []),
    ...(await examinePlugins(settings, stored?.refused_plugins)),
    ...(inspection === undefined ? [] : await examineService(holder)),
    ...memoryFindings(holder?.pid, checkpoint_bytes),
    ...openFiles(holder?.pid),
    ...hugePages(),
  ];
}

/** What a deep examination finds in the stored data, without the machine and the service. @throws as `examineStored` */
export async function verify(settings: Settings): Promise<Finding[]> {
  const { findings, inspection } = await examineStored(settings);
  return [...fileFindings(inspection), ...findings];
}
