import { describe } from 'bun:test';
import { testWindowScoring } from '../../support/popular-windows.ts';

describe('7day', () => testWindowScoring('7day', 7));
