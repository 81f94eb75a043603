import { textOfHtml } from './html-text.js';

describe('a text with HTML', () => {
  it.each([
    ['Zapatos &#8211; 38', 'Zapatos – 38'],
    ['L&oacute;pez', 'López'],
    ['&Ntilde;&aacute;&ntilde;ez &amp; C&iacute;a.', 'Ñáñez & Cía.'],
    ['D&#39;Angelo &#x2019;', "D'Angelo ’"],
    ['Zapatos &#150; 38', 'Zapatos – 38'],
    ['2&nbsp;camisas', '2\u00a0camisas'],
    ['R&amp;amp;D', 'R&D'],
    ['L&amp;oacute;pez', 'López'],
    ['&yuml;&frac12;&sup2;', 'ÿ½²'],
    ['5&ordm; piso', '5º piso'],
  ])('is read as its page shows it where all of it is escaped: %j is %j', (html, text) =>
    expect(textOfHtml(html)).toBe(text),
  );

  it.each([
    'AT&T',
    'Tom & Jerry &amp; Cía.',
    'AT&T &#8211; 38',
    'Q&A; L&oacute;pez',
    '&oacute',
    '&#0;',
    '&#xD800;',
    '&#1114112;',
    '&constructor;',
    '&; & &#; &#x;',
    '',
    '&',
  ])('is left alone where an & is one: %j', (text) => expect(textOfHtml(text)).toBe(text));

  it.each([
    ['<b>2 camisas</b>', '2 camisas'],
    ['<P class="x">Zapatos <STRONG>38</STRONG></P>', 'Zapatos 38'],
    ['&lt;b&gt;Zapatos&lt;/b&gt;', 'Zapatos'],
    ['uno<br>dos<br />tres', 'uno\ndos\ntres'],
  ])('loses tags that it closes, and has line breaks: %j is %j', (html, text) =>
    expect(textOfHtml(html)).toBe(text),
  );

  it.each(['talla <S>', 'casa <b>', 'a < b > c', '<3', 'I <3 you </3', '<>', '</>', '</b', '3<4 y 5>4'])(
    'keeps what a person writes between < and >: %j',
    (text) => expect(textOfHtml(text)).toBe(text),
  );

  it('that is as long as may be takes no noticeable time', () => {
    for (const part of ['&', '&amp;', '<b ', '<b>', '</b>', '&#', '<br '])
      expect(textOfHtml(part.repeat(4_096 / part.length))).toBeDefined();
  });
});
