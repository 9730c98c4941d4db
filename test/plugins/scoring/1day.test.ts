import { describe } from 'bun:test';
import { testWindowScoring } from '../../support/popular-windows.ts';

describe('1day', () => testWindowScoring('1day', 1));
