import type { Settings } from '../settings.ts';
import { examineData, fileFindings } from './data.ts';
import { diskSpace, fileSystemClock, permissions } from './data-folder.ts';
import type { Finding } from './finding.ts';
import { hugePages, openFiles, versions } from './machine.ts';
import { examinePlugins } from './plugins.ts';
import { examineService } from './service.ts';
import { examineStored } from './stored-data.ts';

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
    ...(inspection === undefined ? [] : await examineService(holder, settings)),
    ...openFiles(holder?.pid),
    ...hugePages(),
  ];
}

/** What a deep examination finds in the stored data, without the machine and the service. @throws as `examineStored` */
export async function verify(settings: Settings): Promise<Finding[]> {
  const { findings, inspection } = await examineStored(settings);
  return [...fileFindings(inspection), ...findings];
}
