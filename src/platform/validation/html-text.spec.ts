import { textOfHtml, unescapedText } from './html-text.js';

describe('a text with HTML', () => {
  it.each([
    ['Zapatos &#8211; 38', 'Zapatos – 38'],
    ['L&oacute;pez', 'López'],
    ['&Ntilde;&aacute;&ntilde;ez &amp; C&iacute;a.', 'Ñáñez & Cía.'],
    ['D&#39;Angelo &#x2019;', "D'Angelo ’"],
    ['Zapatos &#150; 38', 'Zapatos – 38'],
    ['2&nbsp;camisas&#160;y&#xA0;blusas', '2 camisas y blusas'],
    ['R&amp;amp;D', 'R&D'],
    ['L&amp;oacute;pez', 'López'],
    ['&yuml;&frac12;&sup2;', 'ÿ½²'],
    ['5&ordm; piso', '5º piso'],
    ['ANA L&OACUTE;PEZ MU&NTILDE;OZ', 'ANA LÓPEZ MUÑOZ'],
    ['Tom & Jerry &amp; Cía.', 'Tom & Jerry & Cía.'],
    ['AT&T &#8211; 38', 'AT&T – 38'],
    ['Q&A; L&oacute;pez', 'Q&A; López'],
  ])('is read as its page shows it: %j is %j', (html, text) => expect(textOfHtml(html)).toBe(text));

  it.each([
    ...['AT&T', 'R&D;', 'H&M; S&P', 'https://tienda.gt/?a=1&b=2;c', '&#7;&#27;&#x7f;&#129;', '&oacute'],
    ...['&#0;', '&#xD800;', '&#1114112;', '&constructor;', '&; & &#; &#x;', '', '&'],
  ])('keeps an & that begins no character reference: %j', (text) => expect(textOfHtml(text)).toBe(text));

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
    for (const part of ['&', '&amp;amp;amp;', '&amp;', '<b ', '<b>', '</b>', '&#', '<br '])
      expect(textOfHtml(part.repeat(4_096 / part.length))).toBeDefined();
  });

  it('of one line has blanks for line breaks and tabs, and none is new in what it may not have', () => {
    expect(unescapedText('Ana&#10;L&oacute;pez&#9;&#13;', true)).toBe('Ana López  ');
    expect(unescapedText('Casa&#10;azul&#0;', false)).toBe('Casa\nazul&#0;');
  });
});
