import { describe } from 'bun:test';
import { testWindowScoring } from '../../support/popular-windows.ts';

describe('30day', () => testWindowScoring('30day', 30));
