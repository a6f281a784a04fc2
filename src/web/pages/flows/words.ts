import { addWords } from '../../words/add-words.ts';
import { draft } from '../../words/en/draft.ts';
import { drawing } from '../../words/en/drawing.ts';
import { flows } from '../../words/en/flows.ts';
import { testRequest } from '../../words/en/test-request.ts';
import { triggers } from '../../words/en/triggers.ts';

addWords({ draft, drawing, flows, testRequest, triggers });
