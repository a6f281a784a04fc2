import type { Visit } from './site.ts';

/** What a channel says to visitors who read from right to left. */
export const arabic = {
  title: 'متجر القمصان',
  greeting: 'مرحبًا! كيف يمكننا مساعدتك؟',
  color: '#ffb703',
  position: 'left',
  texts: {
    language: 'ar',
    hours: 'من الأحد إلى الخميس، 9:00 إلى 17:00',
    placeholder: 'اكتب رسالة …',
    bot: 'المساعد',
    sent: 'أُرسلت',
    seen: 'شوهدت',
    typing: 'يكتب',
    you: 'أنت',
  },
};

export const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#c9b79c"/><path d="M110 60l30-20h40l30 20 20 40-28 10v60h-84v-60l-28-10z" fill="#f3ece0"/></svg>`;

/** A conversation that has some of everything; `shoot` is called before and in it. */
export const talk = async (
  { double, launcher, write, panel }: Pick<Visit, 'double' | 'launcher' | 'write' | 'panel'>,
  isRtl: boolean,
  shoot: (name: string) => Promise<unknown>,
): Promise<void> => {
  const say = (english: string, rtl: string): string => (isRtl ? rtl : english);
  await launcher.click();
  await panel.waitFor();
  await shoot('begin');
  await write(say('Where is my order 1042?', 'أين طلبي 1042؟'));
  await until(() => double.table.visitors.size > 0);
  const visitor = double.table.only();
  double.table.say(visitor, {
    text: say('One moment, I am looking it up.', 'لحظة من فضلك.'),
  });
  double.table.say(visitor, {
    text: say(
      'It left our workshop this morning. Follow it at https://shop.example/orders/1042',
      'غادر طلبك ورشتنا هذا الصباح. https://shop.example/orders/1042',
    ),
  });
  await write(say('Great. And does the blue one come in XL?', 'رائع. وهل القميص الأزرق متوفر بمقاس كبير؟'));
  await until(() => visitor.rows.length === 4);
  visitor.conversation = visitor.conversation && { ...visitor.conversation, agent: { name: 'Ada Lovelace' } };
  double.table.read(visitor, visitor.revision, 'visitor');
  double.table.say(visitor, {
    author: 'agent',
    author_name: 'Ada Lovelace',
    text: say('Hello, Ada here. It does, in linen:', 'مرحبًا، معك آدا. نعم، من الكتان:'),
    image_url: 'https://pictures.example/shirt.svg',
  });
  double.table.say(visitor, {
    author: 'agent',
    author_name: 'Ada Lovelace',
    text: say('Shall I put one aside?', 'هل أحجز لك واحدًا؟'),
    attachments: [
      { id: 'med_1', type: 'file', name: 'sizes.pdf', size: 48_200, url: 'https://pictures.example/sizes.pdf' },
    ],
    quick_replies: isRtl ? ['نعم', 'لا، شكرًا'] : ['Yes, please', 'No, thanks'],
  });
  await panel.locator('.reply').first().waitFor();
  await panel.locator('img').evaluate((image: { decode: () => Promise<void> }) => image.decode());
  await shoot('talk');
  await panel
    .locator('.scroll')
    .evaluate((element: { scrollTo: (x: number, y: number) => void }) => element.scrollTo(0, 0));
  double.setFate((method) => (method === 'POST' ? { cut: 'request' } : {}));
  await write(say('Yes, please', 'نعم'));
  await panel.locator('.sending').waitFor();
  double.table.setTyping(visitor, { agent: true });
  await panel.locator('.typing[data-on]').waitFor();
  await shoot('sending');
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((done) => setTimeout(done, 20));
};
