/**
 * The script that `feedloom plugins test` loads before an author's tests: the contract, the testing kit, TypeBox with the
 * text formats of the service, and a watchdog.
 */
import * as typebox from '@sinclair/typebox';
import * as testing from '../../kit/index.ts';
import * as contract from '../../plugin/index.ts';
import { provideModules } from '../../registry/provide.ts';
import '../../registry/text-formats.ts';
import { watchChecks } from './watch-checks.ts';

declare global {
  /** `plugins test` sets it before this script. */
  var watchdog_seconds: number;
}

watchChecks(globalThis.watchdog_seconds, 1);
provideModules({
  'feedloom/plugin': contract,
  'feedloom/plugin/testing': testing,
  '@sinclair/typebox': typebox,
});
