import type { Settings } from '../settings.ts';
import { examineData } from './data.ts';
import { diskSpace, fileSystemClock, permissions } from './data-folder.ts';
import type { Finding } from './finding.ts';
import { hugePages, openFiles, versions } from './machine.ts';
import { examinePlugins } from './plugins.ts';
import { examineService } from './service.ts';

/**
 * Examines everything that a service with these settings needs. It changes nothing and runs beside a service.
 * @param deep reads the whole embedded database
 */
export async function examine(settings: Settings, deep: boolean): Promise<Finding[]> {
  const { data, database_url } = settings;
  const { findings, inspection, checkpoint_bytes } = await examineData({ data, database_url }, deep);
  const holder = inspection?.holder;
  return [
    versions(),
    ...permissions(data, database_url === undefined),
    diskSpace(data, checkpoint_bytes),
    ...fileSystemClock(data),
    ...findings,
    ...(await examinePlugins(settings)),
    ...(inspection === undefined ? [] : await examineService(holder, settings)),
    ...openFiles(holder?.pid),
    ...hugePages(),
  ];
}
