/** What `feedloom plugins test` loads before an author's tests: the contract, the testing kit and TypeBox. */
import * as typebox from '@sinclair/typebox';
import * as contract from '../index.ts';
import { provideModules } from '../provide.ts';
import * as testing from './index.ts';

provideModules({
  'feedloom/plugin': contract,
  'feedloom/plugin/testing': testing,
  '@sinclair/typebox': typebox,
});
