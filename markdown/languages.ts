/**
 * The names of languages in code blocks: first the title that clients show and use as the key of playgrounds,
 * then the names that people write after the fence.
 */
const TITLES = `
ABAP: abap
ActionScript: actionscript as
ActionScript 3: actionscript3 as3
Ada: ada ada95 ada2005
Agda: agda
AppleScript: applescript
ApacheConf: apacheconf aconf apache
Arduino: arduino
autohotkey: autohotkey ahk
Awk: awk gawk mawk nawk
Bash: bash sh ksh zsh shell openrc
Bash Session: console shell-session
Batchfile: batch bat dosbatch winbatch
BibTeX: bibtex bib
Brainfuck: brainfuck bf
C: c
C#: csharp c# cs
C++: cpp c++
CMake: cmake
COBOL: cobol
CSS: css
CSV: csv
Clojure: clojure clj
ClojureScript: clojurescript cljs
CoffeeScript: coffeescript coffee coffee-script
Common Lisp: common-lisp cl lisp
Coq: coq
Crystal: crystal cr
Cython: cython pyx pyrex
D: d
Dart: dart
Delphi: delphi pas pascal objectpascal
Diff: diff udiff
Django/Jinja: django jinja
Docker: docker dockerfile
Elixir: elixir ex exs
Elixir iex session: iex
Elm: elm
EmacsLisp: emacs-lisp elisp emacs
Erlang: erlang
Erlang erl session: erl
F#: fsharp f#
Fish: fish fishshell
Fortran: fortran f90
GLSL: glsl
GDScript: gdscript gd
Gherkin: gherkin cucumber
Gnuplot: gnuplot
Go: go golang
GraphQL: graphql
Groovy: groovy
HTML: html
HTML+Jinja: html+jinja html+django htmldjango
HTTP: http
Haml: haml
Handlebars: handlebars
Haskell: haskell hs
Haxe: haxe hx hxsl
INI: ini cfg dosini
Idris: idris idr
JSON: json json-object
JSON-LD: jsonld json-ld
JSX: jsx react
Java: java
JavaScript: javascript js
Julia: julia jl
Julia console: jlcon julia-repl
Kotlin: kotlin
LLVM: llvm
Lean: lean lean3
Lean4: lean4
LessCss: less
Literate Haskell: literate-haskell lhaskell lhs
Lua: lua
Makefile: make makefile mf bsdmake
Markdown: markdown md
Mathematica: mathematica mma nb
Matlab: matlab
Matlab session: matlabsession
MySQL: mysql
NASM: nasm
Nginx configuration file: nginx
Nim: nim nimrod
Nix: nixos nix
OCaml: ocaml
Objective-C: objective-c objectivec obj-c objc
Objective-C++: objective-c++ objectivec++ obj-c++ objc++
Octave: octave
PHP: php php3 php4 php5
Perl: perl pl
Perl6: perl6 pl6 raku
PostScript: postscript postscr
PostgreSQL SQL dialect: postgresql postgres
PostgreSQL console (psql): psql postgresql-console postgres-console
PowerShell: powershell pwsh posh ps1 psm1
PowerShell Session: pwsh-session ps1con
Prolog: prolog
Properties: properties jproperties
Protocol Buffer: protobuf proto
Puppet: puppet
Python: python py sage python3 py3 bazel starlark pyi
Python 2.x: python2 py2
Python 2.x Traceback: py2tb
Python Traceback: pytb py3tb
Python console session: pycon python-console
QML: qml qbs
RConsole: rconsole rout
REBOL: rebol
Racket: racket rkt
Ruby: ruby rb duby
Ruby irb session: rbcon irb
Rust: rust rs
S: splus s r
SCSS: scss
SQL: sql
SWIG: swig
Sass: sass
Scala: scala
Scheme: scheme scm
Smalltalk: smalltalk squeak st
Solidity: solidity
Standard ML: sml
Swift: swift
TOML: toml
Tcl: tcl
TeX: tex latex
Terraform: terraform tf hcl
Text only: text
Text output: output
Transact-SQL: tsql t-sql
TypeScript: typescript ts
TypoScript: typoscript
VB.net: vb.net vbnet lobas oobas sobas
VBScript: vbscript
vhdl: vhdl
Vala: vala vapi
VimL: vim
WebAssembly: wast wat
XML: xml
XQuery: xquery xqy xq xql xqm
XSLT: xslt
YAML: yaml
Zig: zig
reStructuredText: restructuredtext rst rest
systemverilog: systemverilog sv
verilog: verilog v
`;

const titleByAlias = new Map<string, string>();
for (const line of TITLES.trim().split("\n")) {
  const colon = line.indexOf(": ");
  for (const alias of line.slice(colon + 2).split(" ")) titleByAlias.set(alias, line.slice(0, colon));
}

/** The title of a language by any of its names, in lower case; undefined for an unknown name. */
export function languageTitle(alias: string): string | undefined {
  return titleByAlias.get(alias);
}

/**
 * Every name, in lower case, that a language is known by, with the language's title; several names share one
 * title.
 */
export function listLanguages(): ReadonlyMap<string, string> {
  return titleByAlias;
}
