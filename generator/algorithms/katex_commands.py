"""Commands that formulas in algorithms may use: KaTeX 0.16 reads each of them."""

from __future__ import annotations

from generator.algorithms.symbols import GREEK
from generator.algorithms.words import words

_LETTERS = r"""
    \ell \hbar \imath \jmath \aleph \beth \wp \Re \Im \partial \nabla \infty \emptyset \varnothing
    \varpi \varrho \varsigma \varkappa \digamma \omicron \eth \complement \Bbbk \hslash
    \prime \backprime \degree \angle \surd \checkmark \top \bot \forall \exists \nexists
    \flat \natural \sharp \clubsuit \diamondsuit \heartsuit \spadesuit \dag \ddag \S \P
"""
_OPERATORS = r"""
    \sum \prod \coprod \int \iint \iiint \oint \bigcup \bigcap \bigsqcup \bigvee \bigwedge
    \bigoplus \bigotimes \bigodot \biguplus \lim \limsup \liminf \max \min \sup \inf \det \gcd
    \Pr \arg \argmax \argmin \exp \log \ln \lg \sin \cos \tan \cot \sec \csc \sinh \cosh \tanh
    \coth \arcsin \arccos \arctan \deg \dim \hom \ker \operatorname \operatorname* \bmod \mod
    \pmod \pod \injlim \projlim \varliminf \varlimsup
"""
_BINARY = r"""
    \cdot \times \div \pm \mp \ast \star \circ \bullet \oplus \ominus \otimes \oslash \odot \cap
    \cup \uplus \sqcap \sqcup \vee \wedge \land \lor \lnot \neg \setminus \smallsetminus \wr
    \amalg \dagger \ddagger \diamond \bigcirc \triangleleft \triangleright \ltimes \rtimes
    \barwedge \veebar \boxplus \boxminus \boxtimes \boxdot \circledast \circledcirc \dotplus
    \intercal \And
"""
_RELATIONS = r"""
    \le \leq \ge \geq \lt \gt \ne \neq \equiv \approx \sim \simeq \cong \propto \asymp \doteq
    \prec \succ \preceq \succeq \ll \gg \subset \supset \subseteq \supseteq \subsetneq
    \supsetneq \sqsubseteq \sqsupseteq \in \ni \notin \not \mid \nmid \parallel \perp \models \vdash
    \dashv \bowtie \smile \frown \coloneqq \eqqcolon \leqslant \geqslant \lesssim \gtrsim
    \lessgtr \approxeq \thickapprox \thicksim \triangleq \vDash \nless \ngtr \nleq \ngeq
    \nsubseteq \varpropto \between \colon \vcentcolon \dblcolon \owns
"""
_ARROWS = r"""
    \leftarrow \gets \rightarrow \to \leftrightarrow \Leftarrow \Rightarrow \Leftrightarrow
    \longleftarrow \longrightarrow \longleftrightarrow \Longleftarrow \Longrightarrow
    \Longleftrightarrow \implies \impliedby \iff \mapsto \longmapsto \hookleftarrow
    \hookrightarrow \uparrow \downarrow \updownarrow \Uparrow \Downarrow \nearrow \searrow
    \swarrow \nwarrow \rightharpoonup \leftharpoonup \rightleftharpoons \leadsto \rightsquigarrow
    \xleftarrow \xrightarrow \twoheadrightarrow \leftleftarrows \rightrightarrows \nrightarrow
    \nleftarrow \circlearrowleft \circlearrowright
"""
_BRACKETS = r"""
    \left \right \middle \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl
    \Biggr \bigm \Bigm \lvert \rvert \lVert \rVert \vert \Vert \lfloor \rfloor \lceil \rceil
    \langle \rangle \lbrace \rbrace \lbrack \rbrack \lgroup \rgroup \llbracket \rrbracket
    \ulcorner \urcorner \llcorner \lrcorner \backslash \lparen \rparen
"""
_LOOKS = r"""
    \mathrm \mathbf \mathit \mathsf \mathtt \mathcal \mathbb \mathfrak \mathscr \mathnormal
    \boldsymbol \bm \bold \text \textbf \textit \textrm \textsf \texttt \textnormal \textup
    \hat \bar \tilde \vec \dot \ddot \check \breve \acute \grave \mathring \widehat \widetilde
    \widecheck \overline \underline \overbrace \underbrace \overrightarrow \overleftarrow
    \overset \underset \stackrel \boxed \cancel \bcancel \xcancel \not \phantom \hphantom
    \vphantom \smash \mathop \mathbin \mathrel \mathord \mathopen \mathclose \mathpunct
    \mathinner \substack \limits \nolimits \displaystyle \textstyle \scriptstyle
    \scriptscriptstyle \color \textcolor \colorbox \tiny \small \normalsize \large \rm \bf \it
    \sf \tt \cal
"""
_LAYOUT = r"""
    \frac \dfrac \tfrac \cfrac \binom \dbinom \tbinom \sqrt \begin \end \ldots \dots \cdots \vdots
    \ddots \dotsc \dotsb \dotsm \dotsi \quad \qquad \enspace \thinspace \medspace \thickspace
    \negthinspace \, \: \; \! \> \  \\ \{ \} \| \$ \& \# \% \_ \hspace \hskip \kern \mkern
    \mskip \space \nobreakspace \hfill \tag \notag \nonumber \newline \cr \over \atop \choose
    \hline \allowbreak \nobreak \rule \def \R \N \Z \Q \C \KaTeX \LaTeX \TeX \Complex
"""
_DROPPED = frozenset(
    words(
        r"""
    \hfill \tag \omicron \def \allowbreak \Q \C \nonumber \notag \over \atop \choose \mod
    """
    )
)

COMMANDS = (
    frozenset(" ".join((_LETTERS, _OPERATORS, _BINARY, _RELATIONS, _ARROWS)).split())
    | frozenset(" ".join((_BRACKETS, _LOOKS, _LAYOUT)).split())
    | frozenset(f"\\{name}" for name in GREEK if name != "Upsilon")
    | {"\\ ", r"\Upsilon", "\\\\"}
) - (_DROPPED | {"\\"})

ENVIRONMENTS = frozenset(
    words(
        """
    matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array cases rcases aligned
    gathered alignedat split darray dcases subarray
    """
    )
)

_ONE = r"""
    \mathrm \mathbf \mathit \mathsf \mathtt \mathcal \mathbb \mathfrak \mathscr \mathnormal
    \boldsymbol \bm \text \textbf \textit \textrm \textsf \texttt \textnormal \textup \hat \bar
    \tilde \vec \dot \ddot \check \breve \acute \grave \mathring \widehat \widetilde \overline
    \underline \overbrace \underbrace \overrightarrow \overleftarrow \boxed \cancel \phantom
    \hphantom \vphantom \smash \mathop \mathbin \mathrel \mathord \operatorname \operatorname*
    \sqrt \hspace \substack \xleftarrow \xrightarrow \pmod
"""
_TWO = r"\frac \dfrac \tfrac \cfrac \binom \dbinom \tbinom \overset \underset \stackrel"
ARGUMENTS = dict.fromkeys(_ONE.split(), 1) | dict.fromkeys(_TWO.split(), 2)
"""Commands with arguments, and how many."""

HINTS = {
    r"\mathbbm": r"`\mathbf{1}`",
    r"\mathds": r"`\mathbb`",
    r"\norm": r"`\lVert x \rVert`",
    r"\abs": r"`\lvert x \rvert`",
    r"\E": r"`\mathbb{E}`",
    r"\KL": r"`\operatorname{KL}`",
    r"\sign": r"`\operatorname{sign}`",
    r"\tr": r"`\operatorname{tr}`",
    r"\softmax": r"`\operatorname{softmax}`",
    r"\textsc": r"`\mathrm`",
    r"\mbox": r"`\text`",
    r"\label": "algorithms can't be referred to: cite the step's number",
    r"\ref": "algorithms can't be referred to: cite the step's number",
    r"\eqref": "algorithms can't be referred to: cite the step's number",
    r"\DeclareMathOperator": r"`\operatorname{…}`",
    r"\Call": r"close the formula before `\Call`",
    r"\tag": "number the step instead",
    r"\emph": r"`\textit` outside the formula",
}
