import { addWords } from '../../words/add-words.ts';
import { receiving } from '../../words/en/receiving.ts';

addWords({ receiving });
