/**
 * The script that `feedloom plugins test` loads before an author's tests: the contract, the testing kit, and TypeBox with
 * the text formats of the service.
 */
import * as typebox from '@sinclair/typebox';
import * as testing from '../../kit/index.ts';
import * as contract from '../../plugin/index.ts';
import { provideModules } from '../../plugin/provide.ts';
import '../../registry/text-formats.ts';

provideModules({
  'feedloom/plugin': contract,
  'feedloom/plugin/testing': testing,
  '@sinclair/typebox': typebox,
});
