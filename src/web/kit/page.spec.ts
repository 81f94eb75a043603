import { h, type ComponentChildren } from 'preact';
import { Page, renderPage } from './page.js';

const render = (title: string, children: ComponentChildren) =>
  renderPage(h(() => h(Page, { title, children }), {}));

describe('a rendered page', () => {
  it('begins with the doctype and is in Spanish', () => {
    const page = render('Guía', h('p', {}, 'Hola'));
    expect(page).toMatch(
      /^<!doctype html><html lang="es"><head><meta charset="utf-8"\/><title>Guía<\/title>/,
    );
    expect(page).toMatch(/<body><p>Hola<\/p><\/body><\/html>$/);
  });

  it.each(['<script>alert(1)</script>', '</title><svg onload=alert(1)>', '"><img src=x>', '&lt;b&gt; & <b>'])(
    'escapes what is put into texts and attributes: %s',
    (text) => {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
      const page = render(text, h('p', { title: text }, text));
      expect(page).toContain(`<title>${escaped}</title>`);
      expect(page).toContain(`<p title="${escaped}">${escaped}</p>`);
    },
  );
});
